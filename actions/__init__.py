"""What the workflows call: plan, measure a cell, collect, publish."""
