export { phraseCatalogs, readPhrases, withPhrases } from './with-phrases.js';
