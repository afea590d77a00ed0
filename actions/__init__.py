"""What the workflows call: plan, measure, collect, publish."""
