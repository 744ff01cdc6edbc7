// Redaction of tool results by the forms of credentials and personal data.
export { PatternRedactor, patternRedactorOptions, type PatternRedactorOptions } from './pattern-redactor.js';
