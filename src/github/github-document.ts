import { join } from 'node:path';

/**
 * Path of GitHub's REST API description (1,223 operations), compressed with gzip. `scripts/renew-github-document.mjs` renews
 * it; `LICENSE` beside it names its version and licence.
 */
export const GITHUB_DOCUMENT = join(__dirname, 'api.github.com.json.gz');
