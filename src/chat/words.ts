/** Splits text or an identifier into lower-case words: at spaces, punctuation, `_`, `-`, and where camel case rises. */
export function wordsOf(text: string): string[] {
  return (
    text
      .replace(/([a-z\d])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/** The word without its common English endings, so that "entities" meets "entity" and "creates" meets "create". */
export function stem(word: string): string {
  let rest = word.toLowerCase();
  if (rest.endsWith('ies') && rest.length > 4) rest = `${rest.slice(0, -3)}y`;
  else if (/(ss|sh|ch|x|z)es$/.test(rest)) rest = rest.slice(0, -2);
  else if (/[^siu]s$/.test(rest) && rest.length > 3) rest = rest.slice(0, -1);
  if (rest.endsWith('ing') && rest.length > 5) rest = rest.slice(0, -3);
  else if (rest.endsWith('ed') && rest.length > 4) rest = rest.slice(0, -2);
  if (/([^aeiouls])\1$/.test(rest)) rest = rest.slice(0, -1);
  return rest.length > 3 ? rest.replace(/e$/, '') : rest;
}

/** Stems of all words of a text. */
export function stemsOf(text: string): string[] {
  return wordsOf(text).map(stem);
}

/** Words that say nothing about what a tool should do. */
const EMPTY = new Set(
  (
    'a an the this that these those my your our their his her its some any all every each whole entire please kindly can ' +
    'could would should will may must do does did is are was were be been am i you we they he she it me us them to of in ' +
    'on at by for from with without into onto out up about over as and or but so than then there here now just also ' +
    'only new again which what who whom whose when where why how have has had want need like let using via named called ' +
    'titled tell current following lot more most very not no yes hello hi hey thanks thank exactly called if matching ' +
    'containing saying inside within under fully completely partly immediately directly really'
  ).split(' '),
);

/** Whether a word carries meaning for a search. */
export function isMeaningful(word: string): boolean {
  return word.length > 1 && !EMPTY.has(word) && !/^\d+$/.test(word);
}

/** Verbs for one another; the first is the one tools prefer. A verb may stand in several groups. */
const SAME_ACTION = groupsOf(
  'get read show view display fetch retrieve see print open give describe',
  'read get say contain show print open display',
  'list show view see give print enumerate display',
  'search find query locate look know',
  'create make add open start register insert remember memorize memorise store note set',
  'write save put store',
  'update edit change modify set replace',
  'delete remove erase forget drop discard',
  'move rename',
  'send post mail',
  'copy duplicate clone',
  'sum add total plus',
  'run trigger start execute launch',
  'refund reimburse repay',
);

/** Nouns for one another; the first is the one tools prefer. */
const SAME_THING = groupsOf(
  'directory folder',
  'repository repo',
  'invoice bill',
  'image picture photo',
  'text contents content',
  'info size metadata details',
  'environment env',
);

/** States for one another. */
const SAME_STATE = groupsOf(
  'open unpaid outstanding unsettled due pending unresolved unfinished',
  'closed done resolved finished completed complete',
  'paid settled',
  'active enabled running',
  'inactive disabled stopped',
  'cancelled canceled',
);

/** Words tools use themselves, so that there is no better one to search for. */
const TOOL_WORDS = new Set(
  'add remove edit set change rename find post open contents info metadata'.split(' ').map(stem),
);

/** Stems of every verb that may mean the same as this one. */
export function sameAction(verb: string): ReadonlySet<string> {
  return meanings(SAME_ACTION, verb);
}

/** Stems of every noun that may mean the same as this one. */
export function sameThing(noun: string): ReadonlySet<string> {
  return meanings(SAME_THING, noun);
}

/** The text with negated states as one word: "not paid" is "unpaid". */
export function joinedNegations(text: string): string {
  return text.replace(/\bnot\s+(?:yet\s+)?(?:been\s+)?(?=\p{L}+ed\b|paid\b|active\b)/giu, 'un');
}

/** Words for the same state, this one first: "open" for "unpaid". */
export function sameState(state: string): readonly string[] {
  return [...new Set([state, ...SAME_STATE.filter((group) => group.includes(state)).flat()])];
}

/** The verb tools are most likely to use for this one. */
export function toolVerb(verb: string): string {
  return favourite(SAME_ACTION, verb);
}

/** The noun tools are most likely to use for this one. */
export function toolNoun(noun: string): string {
  return favourite(SAME_THING, noun);
}

/** Another noun for this one, or the noun itself. */
export function otherNoun(noun: string): string {
  const group = SAME_THING.find((members) => members.some((member) => stem(member) === stem(noun)));
  return group?.find((member) => stem(member) !== stem(noun)) ?? noun;
}

/** Another verb for this one, or the verb itself. */
export function otherVerb(verb: string): string {
  const root = stem(verb);
  const groups = SAME_ACTION.filter((members) => members.some((member) => stem(member) === root));
  return groups.find(([first]) => first !== undefined && stem(first) !== root)?.[0] ?? verb;
}

/** Whether a word is a verb this model knows. */
export function isVerb(word: string): boolean {
  const root = stem(word);
  return OTHER_VERBS.has(root) || SAME_ACTION.some((group) => group.some((member) => stem(member) === root));
}

/** Whether a verb only looks and changes nothing. */
export function isLooking(verb: string): boolean {
  return LOOKING.has(stem(verb));
}

const LOOKING = new Set(
  (
    'get read show view display fetch retrieve see print open give describe contain say list enumerate search find ' +
    'query locate look know sum total plus'
  )
    .split(' ')
    .map(stem),
);

const OTHER_VERBS = new Set(
  (
    'repeat close merge cancel star unstar lock unlock approve reject assign check compare convert count download ' +
    'upload stop enable disable toggle invite subscribe follow publish deploy restart archive restore export import ' +
    'generate book order pay charge transfer schedule translate summarize research simulate compress gzip zip validate'
  )
    .split(' ')
    .map(stem),
);

function groupsOf(...groups: readonly string[]): readonly (readonly string[])[] {
  return groups.map((group) => group.split(' '));
}

function meanings(groups: readonly (readonly string[])[], word: string): ReadonlySet<string> {
  const root = stem(word);
  const same = groups.filter((group) => group.some((member) => stem(member) === root)).flat();
  return new Set([root, ...same.map(stem)]);
}

function favourite(groups: readonly (readonly string[])[], word: string): string {
  const root = stem(word);
  const isGood = TOOL_WORDS.has(root) || groups.some(([first]) => first !== undefined && stem(first) === root);
  if (isGood) return word;
  return groups.find((members) => members.some((member) => stem(member) === root))?.[0] ?? word;
}
