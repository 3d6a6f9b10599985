"""Trainings and measurements: each function returns one record of numbers, strings and tensors, and gives it again.

Every training runs on one thread and draws from its own generator, so the same arguments give the same bits. Records
hold no modules; where weights are kept, the record rebuilds its model from them.
"""
