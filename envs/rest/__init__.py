"""Worlds over HTTP: a server for ours, and a client for others.

The protocol is that of the original's household server: one world at a time, `POST /reset`, `POST /execute_action`,
`GET /get_state`, `GET /get_visible_objects`. `GET /tasks`, which lists the tasks to reset to, is our addition.
"""
