import { join, relative } from 'node:path';
import ts from 'typescript';

// The console shows texts of others: of tools, sources, tenants, callers. Each must go through `Text`, or through `plainText`
// where no component fits. This test reads the types of the console's sources and finds the places that show a bare string.

const BROWSER = join(__dirname, '../../libs/console/browser');
const CONFIG = join(BROWSER, 'tsconfig.json');
/** Attributes that are shown or read out. */
const SPOKEN = new Set(['aria-label', 'aria-description', 'title', 'alt', 'placeholder', 'label']);
/** Elements in which the button of `Text` would be a control within a control. */
const CONTROLS = new Set(['button', 'a', 'summary', 'label', 'option', 'select']);

function programOf(extra: Readonly<Record<string, string>> = {}): ts.Program {
  const { config } = ts.readConfigFile(CONFIG, (path) => ts.sys.readFile(path)) as { config: object };
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, BROWSER);
  const host = ts.createCompilerHost({ ...options, noEmit: true });
  const read = host.readFile.bind(host);
  const exists = host.fileExists.bind(host);
  const added = new Map(Object.entries(extra).map(([name, text]) => [join(BROWSER, name), text]));
  host.readFile = (path) => added.get(path) ?? read(path);
  host.fileExists = (path) => added.has(path) || exists(path);
  const getSourceFile = host.getSourceFile.bind(host);
  host.getSourceFile = (path, language) => {
    const text = added.get(path);
    return text === undefined ? getSourceFile(path, language) : ts.createSourceFile(path, text, language, true);
  };
  return ts.createProgram([...fileNames, ...added.keys()], { ...options, noEmit: true }, host);
}

/** Where a file shows a bare string, or puts `Text` into a control: `file:line: expression`. */
class Finder {
  readonly found: string[] = [];

  constructor(private readonly checker: ts.TypeChecker) {}

  visit(node: ts.Node): void {
    if (ts.isJsxExpression(node) && node.expression) this.#visitShown(node, node.expression);
    if (ts.isArrowFunction(node) || ts.isFunctionExpression(node)) this.#visitCallback(node);
    if (ts.isFunctionDeclaration(node) && /^[A-Z]/.test(node.name?.text ?? '')) this.#visitBody(node);
    if (ts.isJsxSelfClosingElement(node) && node.tagName.getText() === 'Text') this.#visitText(node);
    ts.forEachChild(node, (child) => this.visit(child));
  }

  #visitShown(place: ts.JsxExpression, expression: ts.Expression): void {
    const { parent } = place;
    if (!ts.isJsxAttribute(parent)) return this.#check(expression);
    const tag = parent.parent.parent.tagName.getText();
    const isSpoken = SPOKEN.has(parent.name.getText()) && /^[a-z]/.test(tag);
    const wanted = this.checker.getContextualType(expression);
    if (isSpoken || (wanted && isRenderable(wanted))) this.#check(expression);
  }

  /** A callback whose result is shown. */
  #visitCallback(node: ts.ArrowFunction | ts.FunctionExpression): void {
    const wanted = this.checker.getContextualType(node);
    const results = wanted?.getCallSignatures().map((signature) => signature.getReturnType()) ?? [];
    if (!results.some(isRenderable)) return;
    if (ts.isBlock(node.body)) this.#visitBody(node);
    else this.#check(node.body);
  }

  #visitBody(within: ts.Node): void {
    const visit = (node: ts.Node): void => {
      if (ts.isReturnStatement(node) && node.expression) this.#check(node.expression);
      if (!ts.isFunctionLike(node)) ts.forEachChild(node, visit);
    };
    ts.forEachChild(within, visit);
  }

  #visitText(node: ts.JsxSelfClosingElement): void {
    for (let at: ts.Node = node; at.parent; at = at.parent) {
      if (ts.isJsxElement(at) && CONTROLS.has(at.openingElement.tagName.getText())) return this.#report(node);
    }
  }

  #check(expression: ts.Expression): void {
    if (ts.isParenthesizedExpression(expression)) return this.#check(expression.expression);
    if (ts.isConditionalExpression(expression)) {
      this.#check(expression.whenTrue);
      return this.#check(expression.whenFalse);
    }
    if (ts.isBinaryExpression(expression)) {
      // What stands before && is shown only if it is empty.
      if (expression.operatorToken.kind !== ts.SyntaxKind.AmpersandAmpersandToken) this.#check(expression.left);
      return this.#check(expression.right);
    }
    if (ts.isTemplateExpression(expression)) {
      return expression.templateSpans.forEach((span) => this.#check(span.expression));
    }
    if (this.#isNumberInWords(expression)) return;
    if (!isSafe(this.checker.getTypeAtLocation(expression), this.checker)) this.#report(expression);
  }

  /** A number or date that its own method writes. */
  #isNumberInWords(expression: ts.Expression): boolean {
    if (!ts.isCallExpression(expression) || !ts.isPropertyAccessExpression(expression.expression)) return false;
    const type = this.checker.getTypeAtLocation(expression.expression.expression);
    return (type.flags & ts.TypeFlags.NumberLike) !== 0 || type.symbol?.name === 'Date';
  }

  #report(node: ts.Node): void {
    const file = node.getSourceFile();
    const { line } = file.getLineAndCharacterOfPosition(node.getStart());
    this.found.push(`${relative(BROWSER, file.fileName)}:${line + 1}: ${node.getText()}`);
  }
}

const isRenderable = (type: ts.Type): boolean =>
  (type.isUnion() ? type.types : [type]).some(({ symbol }) => symbol?.name === 'VNode');

const SAFE =
  ts.TypeFlags.StringLiteral |
  ts.TypeFlags.NumberLike |
  ts.TypeFlags.BooleanLike |
  ts.TypeFlags.Undefined |
  ts.TypeFlags.Null |
  ts.TypeFlags.Void |
  ts.TypeFlags.Never;

/** Whether a value of this type cannot be a text of others: literals, numbers, elements and what `plainText` made. */
function isSafe(type: ts.Type, checker: ts.TypeChecker): boolean {
  // What has the type of children was checked where it was written.
  if ((type.flags & SAFE) !== 0 || isRenderable(type)) return true;
  if (type.isUnion()) return type.types.every((each) => isSafe(each, checker));
  if (type.isIntersection()) return type.aliasSymbol?.name === 'PlainText';
  if ((type.flags & ts.TypeFlags.Object) === 0) return false;
  const element = checker.getIndexTypeOfType(type, ts.IndexKind.Number);
  return element === undefined || isSafe(element, checker);
}

function bareTexts(program: ts.Program, wanted: (path: string) => boolean): readonly string[] {
  const finder = new Finder(program.getTypeChecker());
  for (const file of program.getSourceFiles()) {
    const path = relative(BROWSER, file.fileName);
    if (path.endsWith('.tsx') && !path.startsWith('..') && wanted(path)) finder.visit(file);
  }
  return finder.found;
}

const WRONG = `
import { plainText } from './parts/safe-text.js';
import { Screen } from './parts/screen.js';
import { Text } from './parts/text.js';

export function Wrong({ name, tags }: { readonly name: string; readonly tags: readonly string[] }) {
  return (
    <section aria-label={name} title={\`of \${name}\`} class={name}>
      {name}
      {tags}
      {tags.length > 0 && \`tags: \${tags.join(', ')}\`}
      {tags.length > 9 ? 'many' : name.slice(0, 5)}
      <Screen title={name} lead={name}>
        <button type="button">
          <Text value={name} />
        </button>
      </Screen>
      {tags.map((tag) => tag)} {JSON.parse(name)}
      <Text value={name} /> {tags.length} {tags.length.toFixed(2)} {plainText(name)} {'words'}
    </section>
  );
}

export function AlsoWrong({ name }: { readonly name: string }) {
  return name;
}
`;

describe('texts of others in the console', () => {
  const program = programOf({ 'wrong.tsx': WRONG });

  it('are shown by Text, Name or plainText, and Text is in no control', () => {
    expect(bareTexts(program, (path) => path !== 'wrong.tsx')).toEqual([]);
  });

  it('are found where they are shown as they are', () => {
    const found = bareTexts(program, (path) => path === 'wrong.tsx');
    expect(found.map((each) => each.slice(each.indexOf(' ') + 1))).toEqual([
      'name',
      'name',
      'name',
      'tags',
      "tags.join(', ')",
      'name.slice(0, 5)',
      'name',
      '<Text value={name} />',
      'tags.map((tag) => tag)',
      'JSON.parse(name)',
      'name',
    ]);
  });
});
