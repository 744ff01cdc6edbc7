import type { ToolDefinition } from '../../tool/tool-definition.js';
import { tokenize } from '../text/tokenize.js';
import { toolText } from '../text/tool-text.js';

/** Models read a few hundred tokens of a text. Further text is cut off or makes the vector less specific. */
const MAX_CHARS = 1_000;
const MAX_PARAMETER_CHARS = 200;

/** The text of a tool to embed, at most 1,000 characters: words of name, title, description and parameter names. */
export function toolSentence(tool: ToolDefinition): string {
  const { title, description, parameterNames } = toolText(tool);
  const heading = [words(tool.name), title].filter((part) => part !== '').join(': ');
  const parameters = words(parameterNames).slice(0, MAX_PARAMETER_CHARS);
  const ending = parameters === '' ? '' : `\nParameters: ${parameters}`;
  return `${`${heading}\n${description.trim()}`.slice(0, MAX_CHARS - ending.length)}${ending}`;
}

/** `create_issue` and `createIssue` both become `create issue`: a model knows words, not identifiers. */
function words(identifiers: string): string {
  return tokenize(identifiers)
    .flatMap(({ parts }) => parts.map(({ word }) => word))
    .join(' ');
}
