"""Those who take part, one a file, each with the script, site or program it needs beside it."""
