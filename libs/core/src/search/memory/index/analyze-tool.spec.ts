import { fakeTool, fakeTools } from '../../../testing/fakes/fake-tools.js';
import { fieldTerms } from '../../text/field-terms.js';
import { toolText } from '../../text/tool-text.js';
import { ToolAnalyzer } from './analyze-tool.js';
import { Lexicon } from './lexicon.js';

const oddTool = fakeTool({
  name: 'github.createIssue_v2',
  title: 'Create the user’s e-mail — “now”…',
  description: 'Who is it? 创建工单 for Zürich, HTMLParser, listPRs, S3 and naïve x_y 3½. '.repeat(3),
  tags: ['is it up', 'CI/CD'],
  inputSchema: { type: 'object', properties: { page_size: { type: 'integer', enum: ['asc', 'desc'] } } },
});

describe('ToolAnalyzer', () => {
  it('gives the terms that the analysis of each field gives', () => {
    for (const tool of [...fakeTools(40), oddTool]) {
      const lexicon = new Lexicon();
      const { terms } = new ToolAnalyzer(lexicon).analyze(tool);
      const expected = Object.values(toolText(tool)).flatMap((text) => Object.values(fieldTerms(text)).flat());
      expect(new Set(terms.map((term) => lexicon.termOf(term)))).toEqual(new Set(expected));
    }
  });

  it('does not depend on the tools that were analyzed before', () => {
    const [lexicon, tools] = [new Lexicon(), [...fakeTools(40), oddTool]];
    const analyzer = new ToolAnalyzer(lexicon);
    const together = tools.map((tool) => analyzer.analyze(tool));
    expect(tools.map((tool) => new ToolAnalyzer(lexicon).analyze(tool))).toEqual(together);
  });
});
