import { McpSource } from '@tool-search/mcp';
import { withPhrases } from '@tool-search/phrases';

// #region phrases
const gitlab = new McpSource({ name: 'gitlab', command: 'npx', args: ['-y', '@zereight/mcp-gitlab'] });

export const sources = [withPhrases(gitlab, '@zereight/mcp-gitlab')];
// #endregion phrases
