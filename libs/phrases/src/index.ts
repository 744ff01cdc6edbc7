export { phraseCatalogs, withPhrases } from './with-phrases.js';
