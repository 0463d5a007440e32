/* rows in, rows out */
