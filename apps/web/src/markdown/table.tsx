/** A table, which scrolls by itself where it is wider than the page. A long one comes in pieces, the later ones without their head. */
import type { Tokens } from '@chat-kernel/markdown';
import { Inline } from './inline.tsx';

export function Table({ table, glued }: { table: Tokens.Table; glued: boolean }) {
  const alignOf = (column: number) => table.align[column] ?? undefined;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section className="table" tabIndex={0} aria-label="Table">
      <table>
        <thead className={glued ? 'unseen' : undefined}>
          <tr>
            {table.header.map((cell, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other names
              <th key={column} align={alignOf(column)}>
                <Inline tokens={cell.tokens} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows are only ever appended
            <tr key={index}>
              {row.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other names
                <td key={column} align={alignOf(column)}>
                  <Inline tokens={cell.tokens} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
