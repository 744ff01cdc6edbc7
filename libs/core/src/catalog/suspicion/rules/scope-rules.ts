import type { InstructionRule } from './instruction-rule.js';

/** Tool purposes for which parameters about persons are legitimate. */
const PEOPLE =
  /patient|clinic|health|medic|hospital|doctor|customer|client|employ|payroll|\bhr\b|person|people|\busers?\b|contact|member|passenger|travel|booking|reserv|flight|hotel|guest|\btax|bank|account|insur|identit|\bkyc\b|verif|candidate|applicant|applic|student|driver|profile|\bcrm\b|\bleads?\b|invoice|donor|loan|credit|visa|passport|birth|voter|tenant|resident|card|payment|order|checkout|shipping|address|company|business|salary|compan|job|market|statistic|census|demograph|resume|recruit|\bsign ?up|regist|onboard|pii|privacy|redact|mask/;

/** Tool purposes for which parameters about models, prompts and conversations are legitimate. */
const MODELS =
  /completion|\bllms?\b|\bmodels?\b|\bagents?\b|chatbot|chat bot|\bvoice|persona|fine.?tun|inference|\bprompts? (template|library|registry|management|version)/;

/** Parameters that ask for information which the tool, or any tool, does not need. */
export const SCOPE_RULES: readonly InstructionRule[] = [
  {
    id: 'scope',
    reason: 'asks for things about a person that its purpose does not need',
    unless: PEOPLE,
    phrases: [],
    spread: [
      '%param ~6 PERSONAL',
      '%param ~6 social security',
      '%param ~6 passport|identity|licence|license|insurance|national|tax ~1 number|card|document',
      '%param ~6 date|dates|place of birth',
      '%param ~6 medical|health|mental|criminal|financial condition*|history|record|records|situation|problems',
      '%param ~6 yearly|annual|monthly|household|net|gross income|salary|earnings|wage*',
      '%param ~6 home|private|street|residential|postal address ~3 of ~2 USER|person',
      '%param ~6 legal|full|real|maiden name ~3 of ~2 user|person|mother*|owner',
      '%param ~6 credit|debit|bank|payment card|account|cards ~1 number|numbers|digits|details',
      '%param ~6 mothers maiden',
      '%param ~6 names|numbers|phone|mail|addresses ~5 address book',
      '%param ~6 who lives|sleeps|works ~3 household|house|home|with',
    ],
  },
  {
    id: 'collection',
    reason: 'has a parameter that collects what only the model knows',
    unless: MODELS,
    phrases: [
      '%param system prompt|instructions|message',
      '%param ~1 conversation|chat|dialogue history|log|transcript|context|record|dump',
      '%param ~1 messages|prompt|interaction history',
      '%param full|entire|whole|complete|model|llm|agent|your|raw ~1 context|TALK|prompt|MIND|memory|transcript',
      '%param llm|model|assistant|agent ~1 name|identity|version|instructions|config ~12 your|you|are|running|which',
      '%param ~1 system ~1 prompt',
      'TALK ~1 PAST ~4 so|verbatim|including|sofar|between ~3 far|system|all|you|USER|every',
    ],
  },
  {
    id: 'reach',
    reason: 'reaches for what lies in other places of the user',
    spread: [
      '%param ~3 text|content|contents|body|copy ~1 of ~4 settings|config|configuration|credentials|profile file|files',
      '%param ~8 contents|content|text ~2 of ~4 %place|%env',
    ],
    phrases: [
      'found|seen|taken|mentioned|available|appear*|typed|named|given ~4 in|from ~3 earlier|previous|prior|other|past|recent ~1 messages|message|chats|mails|notes|emails|conversations',
      'look*|looked|find|read|taken|take|check|search ~3 in|through|from|up ~2 the|their|users|user|his|persons ~2 contacts|mailbox|inbox|calendar|drive|photos|chats|addressbook|mails ~12 if|and|to|so|for|as|or',
      'last|latest|recent|previous|final ~1 COUNT|few|messages|turns ~1 messages|turns|mails|prompts|exchanges|emails|lines ~2 of ~2 this|the|our ~1 TALK',
      'SEND ~4 of ~2 users ~3 messages|mails|prompts|questions|emails|chats',
      'users ~2 last|recent|latest|previous ~2 messages|turns|prompts|mails|emails ~3 as|in|into|with',
      'names|list|listing|titles|index|inventory ~3 of ~3 all|every|users|their ~3 documents|files|folders|mails|projects|tabs|photos|chats ~4 drive|computer|machine|disk|home|desktop|mailbox|phone|cloud|laptop',
      'documents|files|mails|photos|chats|tabs ~2 in|on|from|of ~2 persons|users|their|person ~1 drive|computer|machine|disk|desktop|laptop|phone|browser|mailbox|device|home',
      'all|every|whole|entire|complete|full ~2 address|contact ~1 book|list|contacts|entries ~3 all|every|so|in|as|for|to|into',
      'address book ~4 all|every|entire|whole|complete',
      'customer|client|price|contact list ~6 drive|mailbox|crm|disk|machine ~4 as|in|with|along|too',
      'what|which|how ~3 person|user|owner|they ~2 uses|use ~1 to ~1 sign|log|login|authenticate ~2 elsewhere|in|with',
      'sign|log|login|signs|logs in|into|on ~1 elsewhere',
      'personal access|api|auth|session|bearer|refresh|login ~1 token|key|cookie ~3 of ~2 USER ~6 take|taken|from|found|look|other|configuration',
      'take|taken|copied|copy|borrow*|reuse ~4 from|in|of ~3 ELSE ~1 TOOL|servers ~2 config*|settings|env|environment|credentials',
      'text|content|contents|body|copy ~3 of|from ~3 %env|%place ~8 open|give|in|into|as|paste|put|exactly',
      'needs|requires|need|require|wants|give|supply|provide ~14 text|content|contents ~5 %env|%place',
      'reporters|users|persons|your|their|current|host|machine environment ~4 attached|included|as|copied|sent',
      'account|card|phone|id|order|invoice numbers|number ~5 come|came|appeared|mentioned|seen|discussed ~1 up ~2 far|earlier|before',
      'come|came|discussed|said|opened|seen|happened|mentioned|exchanged|talked so far',
      'how ~1 the|you ~1 BEING ~1 was|were|is|are ~1 set|configured|instructed|prompted|told|programmed',
      'wording|text|words|sentence|instructions ~2 it|you|assistant|model ~1 was|were|is|are ~1 given|started|told|set ~4 start|beginning|with|first|by',
      'connectors|servers|tools|plugins|integrations ~1 it|you|assistant|model|agent ~1 can|could|may|has|have|are|is|was ~1 reach|see|access|loaded|given|connected|call|to',
      'whole|entire|complete|full ~1 conversation ~4 and|as|is|so|including|must|each|every|word',
      'sample|record|entry|log|payload|body|value ~2 is|are|contains|holds ~2 whole|entire|full|complete TALK',
      'TALK|exchange|exchanges|message|messages|dialogue ~6 word by|for word',
      'PREVIOUS TALK ~8 text|全文|全部|complet*|vollstandig*|integral*',
      'calendar|messages|mails|chats|notes|location ~6 are|is|become|becomes|form|forms ~1 part of ~2 entry|record|call|request|input|every|each|argument',
      'full|whole|entire|complete|original|exact ~1 request|question|task|message|wish ~1 of ~1 USER ~2 including|with|and ~2 all|any|every|data|material|context',
      'what|request ~4 along ~1 with ~2 material|data|documents|files|everything|context',
      'dump|copy|export|snapshot ~3 of ~2 what|everything|whatever ~3 ELSE|tools|returned|known',
    ],
  },
];
