import { cloneElement, type ComponentChildren, isValidElement, toChildArray, type VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { type PlainText, plainText } from './safe-text.js';

interface ScreenProps {
  readonly title: string;
  /** One sentence about the purpose of the screen. */
  readonly lead: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A screen: its title gets the focus, so that a screen reader says where one is. */
export function Screen({ title, lead, children }: ScreenProps) {
  const shown = plainText(title);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${shown} · Tool console`;
    heading.current?.focus();
  }, [shown]);
  return (
    <>
      <h1 ref={heading} tabIndex={-1}>
        {shown}
      </h1>
      <p class="lead">{lead}</p>
      {children}
    </>
  );
}

/** The heading of a column with numbers, which stand at the right of it. */
interface NumberColumn {
  readonly number: string;
}

interface TableProps {
  readonly caption: string;
  /** The headings; an empty one is of a column with buttons. */
  readonly columns: readonly (string | NumberColumn)[];
  /** Elements `tr` with a `td` for each column. */
  readonly children: ComponentChildren;
}

/** A table. On narrow screens each row is a card: its first cell is the title, and others have their headings beside them. */
export function Table({ caption, columns, children }: TableProps) {
  const headings = columns.map(headingOf);
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={plainText(caption)}>
      {/* The roles are named because elements that look like cards are tables for no screen reader. */}
      <table role="table">
        <caption class="unseen">{plainText(caption)}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {headings.map(({ text, isNumber }) => (
              <th key={text} scope="col" role="columnheader" class={isNumber ? 'number' : undefined}>
                {text === '' ? <span class="unseen">Actions</span> : text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">{elementsOf(children).map((row) => rowWith(row, headings))}</tbody>
      </table>
    </div>
  );
}

interface Heading {
  readonly text: PlainText | '';
  readonly isNumber: boolean;
}

function headingOf(column: string | NumberColumn): Heading {
  const [text, isNumber] = typeof column === 'string' ? [column, false] : [column.number, true];
  return { text: text === '' ? '' : plainText(text), isNumber };
}

function rowWith(row: VNode, headings: readonly Heading[]): VNode {
  const cells = elementsOf(row.props.children).map((cell, at) => {
    const { text = '', isNumber = false } = headings[at] ?? {};
    const look = isNumber ? 'number' : text === '' ? 'buttons' : undefined;
    return cloneElement(cell, { role: 'cell', 'data-label': text, class: look });
  });
  return cloneElement(row, { role: 'row' }, cells);
}

function elementsOf(children: ComponentChildren): readonly VNode[] {
  return toChildArray(children).filter((child) => isValidElement(child));
}
