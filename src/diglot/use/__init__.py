"""What commands do with a site beyond a build: they ask tasks for values, which become files and reports."""
