"""HTTP on this host: the load on servers, and the sites that runners fetch from."""
