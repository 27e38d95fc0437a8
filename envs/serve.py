"""Serve a world over HTTP, with the protocol of the original's household server.

    python -m envs.serve household [--port 8000] [--seed 0]

Binds to this machine only; `--host 0.0.0.0` opens it to the network, where anyone who knows the address of this machine
can act in the world.
"""

from __future__ import annotations

import argparse
import logging
import sys

from envs.catalogues import find_catalogue, names


def main(arguments: list[str] | None = None) -> int:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(prog="python -m envs.serve", description="Serve a world over HTTP.")
    parser.add_argument("world", help=f"which world: {', '.join(names())}, or FILE.py:NAME")
    parser.add_argument("--host", default="127.0.0.1", help="address to bind to (default: this machine only)")
    parser.add_argument("--port", type=int, default=8000, help="port; 0 takes any free one (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="random seed of the world (default: %(default)s)")
    parser.add_argument("--verbose", action="store_true", help="print every request")
    options = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO if options.verbose else logging.WARNING, format="%(message)s")

    from envs.rest.server import serve

    try:
        server = serve(find_catalogue(options.world), options.host, options.port, options.seed)
    except ValueError as error:
        parser.error(str(error))
    except (OSError, OverflowError) as error:
        parser.error(f"cannot bind to {options.host}:{options.port}: {getattr(error, 'strerror', None) or error}")
    with server:
        host, port = server.server_address[:2]
        print(f"{options.world} at http://{host!s}:{port}; GET /tasks lists the tasks, Ctrl-C stops it", flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print("stopped", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
