// Required before a server: of GitHub's document there is one operation, where a test is not about the size of the catalog.
const fs = require('node:fs');
const { Readable } = require('node:stream');
const { gzipSync } = require('node:zlib');

const DOCUMENT = {
  openapi: '3.0.3',
  info: { title: 'GitHub REST API', version: '1' },
  servers: [{ url: 'https://api.github.com' }],
  paths: {
    '/user/starred/{owner}/{repo}': {
      put: {
        operationId: 'activity/star-repo-for-authenticated-user',
        summary: 'Star a repository for the authenticated user',
        parameters: ['owner', 'repo'].map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
        responses: { 204: { description: 'Starred.' } },
      },
    },
  },
};

const { createReadStream } = fs;
fs.createReadStream = (path, ...options) =>
  String(path).endsWith('api.github.com.json.gz')
    ? Readable.from([gzipSync(JSON.stringify(DOCUMENT))])
    : createReadStream(path, ...options);
