/** The checked options, for the providers of this package. */
export const CONSOLE_SETTINGS = Symbol('CONSOLE_SETTINGS');
