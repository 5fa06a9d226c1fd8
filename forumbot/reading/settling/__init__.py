"""All claims of a message together: repetitions joined, corrections carried out, contradictions marked, talk left out."""
