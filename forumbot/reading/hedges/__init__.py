"""What casts doubt on an order although its words are understood: one ordered table, and its tests by subject."""
