"""How a reader answers published cases through the public functions: a module for each category of cases.

Each has a table `ANSWERS`: the inputs that a case must name, and the function that answers it. Never its id.
"""
