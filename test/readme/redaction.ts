import type { ToolSearchModuleOptions } from '@tool-search/core';
import { PatternRedactor } from '@tool-search/redaction';

// #region redaction
export const redaction: ToolSearchModuleOptions['redaction'] = {
  redactor: new PatternRedactor({ countries: ['de', 'us'] }),
  except: ['billing.*'],
};
// #endregion redaction
