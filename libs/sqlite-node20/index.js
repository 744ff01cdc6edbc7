// This package exists for its `engines`: npm, pnpm and yarn leave an optional dependency out where they do not match.
module.exports = require('better-sqlite3-12');
