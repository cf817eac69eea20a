"""The pages of the site, one module per part of it. A page finds its rows through access and queries, reads a form,
calls one verb of play or offers, and renders; it knows no rules."""
