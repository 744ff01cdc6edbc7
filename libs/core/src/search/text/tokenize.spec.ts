import { tokenize } from './tokenize.js';

const partsOf = (text: string) => tokenize(text).flatMap((run) => run.parts.map((part) => part.term));
const wholesOf = (text: string) => tokenize(text).flatMap((run) => run.whole ?? []);

describe('tokenize', () => {
  it.each([
    ['createIssue', ['creat', 'issu'], ['createissu']],
    ['CreateIssue', ['creat', 'issu'], ['createissu']],
    ['create_issue', ['creat', 'issu'], ['createissu']],
    ['create-issue', ['creat', 'issu'], ['createissu']],
    ['CREATE_ISSUE', ['creat', 'issu'], ['createissu']],
    ['github.create_issue', ['github', 'creat', 'issu'], ['createissu']],
    ['parseHTMLDocument', ['pars', 'html', 'document'], ['parsehtmldocu']],
    ['listPRs', ['list', 'prs'], ['listpr']],
    ['getURLs', ['get', 'url'], ['geturl']],
    ['s3', ['3'], ['s3']],
    ['oauth2Token', ['oauth', '2', 'token'], ['oauth2token']],
    ['2fa', ['2', 'fa'], ['2fa']],
    ['e-mail', ['mail'], ['email']],
    ['GitHub', ['git', 'hub'], ['github']],
    ['x_y', ['xy'], []],
    ['v1.2', ['1', '2'], ['v1']],
    ["the user's invoices", ['the', 'user', 'invoic'], []],
    ["don't", ['dont'], []],
    ['Zürich café', ['zurich', 'cafe'], []],
    ['Zu\u0308rich', ['zurich'], []],
    ['ﬁle ｆｕｌｌ ①', ['file', 'full', '1'], []],
    ['zero\u200bwidth so\u00adft', ['zerowidth', 'soft'], []],
    ['найти ёлки', ['наити', 'елки'], []],
    ['αρχείο', ['αρχειο'], []],
    ['创建工单', ['创建', '建工', '工单'], []],
    ['查', ['查'], []],
    ['ファイルを読む', ['ファ', 'ァイ', 'イル', 'ルを', 'を読', '読む'], []],
    ['ガイド', ['ガイ', 'イド'], []],
    ['이메일 보내기', ['이메', '메일', '보내', '내기'], []],
    ['ค้นหา', ['ค้', '้น', 'นห', 'หา'], []],
    ['सूचना भेजें', ['सूचना', 'भेजें'], []],
    ['使用GitHub创建', ['使用', 'git', 'hub', '创建'], []],
  ])('reads %j', (text, parts, wholes) => {
    expect(partsOf(text)).toEqual(parts);
    expect(wholesOf(text)).toEqual(wholes);
  });

  it.each(['', '   ', '?!… — ""', '🔥🔥', '___', '\u0000\u0007'])('finds no token in %j', (text) => {
    expect(tokenize(text)).toEqual([]);
  });

  it('finds a token in every text of letters or digits, in any script', () => {
    const texts = ['a', 'Ω', '7', '工', 'ก', 'ª', 'ᚠᚢᚦ', 'ꙮ', 'ʼn', '٣', 'x'.repeat(10_000), '中'.repeat(10_000)];
    for (const text of texts) expect(tokenize(text).length).toBeGreaterThan(0);
  });

  it('bounds the length of a word', () => {
    const terms = partsOf('x'.repeat(10_000));
    expect(terms.map((term) => term.length)).toEqual([64]);
    expect(wholesOf('ab1'.repeat(1_000))).toEqual([]);
  });

  it('marks function words', () => {
    const [run] = tokenize('the_list_of_all_users');
    expect(run?.content.map((part) => part.word)).toEqual(['list', 'users']);
    expect(run?.parts.map((part) => part.word)).toEqual(['the', 'list', 'of', 'all', 'users']);
  });
});
