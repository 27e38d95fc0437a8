"""The viewer: pages for its server and for static export."""
