#!/usr/bin/env node
// CommonJS, by the package.json beside it: that starts some ten milliseconds before an ES module does.
require('../dist/secondwind.cjs');
