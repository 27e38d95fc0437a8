"""Worlds over HTTP: ours for other people's clients, and other people's for our agents.

The protocol is that of the original's household server: one world at a time, `POST /reset`, `POST /execute_action`,
`GET /get_state`, `GET /get_visible_objects`. `GET /tasks`, which lists what can be reset to, is ours.
"""
