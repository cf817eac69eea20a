"""Case files: inputs and answers that the pure functions must reproduce.

`python -m tests.cases FILE…` tries files of the same formats from anywhere. Each module of this package that defines
`KINDS`, a function from input to output for each kind of case, adds those kinds.
"""
