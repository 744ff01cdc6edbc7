// Required before the demo: GitHub's document is missing, as after an incomplete installation.
const fs = require('node:fs');

const { createReadStream } = fs;
fs.createReadStream = (path, ...options) =>
  createReadStream(String(path).endsWith('api.github.com.json.gz') ? `${String(path)}.missing` : path, ...options);
