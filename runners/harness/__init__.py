"""Measures the runners: finds, plans, launches, records and checks them."""
