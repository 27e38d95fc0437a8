"""Fault injection: run commands in separate processes under kills, full disks, faulty servers and hostile files."""
