// Redaction of tool results by the forms of credentials and personal data.
export { PatternRedactor, patternRedactorOptions, type PatternRedactorOptions } from './pattern-redactor.js';
export { COUNTRIES, type Finding, KINDS, type RedactionCountry, type RedactionKind } from './finding.js';
