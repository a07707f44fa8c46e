import { Checkbox, Skeleton } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './data-table.module.css';
import type { Selection } from './selection';

export interface Column<Row> {
  id: string;
  /** Heading, and the label of the value when the table is shown as cards. */
  header: string;
  cell: (row: Row) => ReactNode;
  /** Any CSS width; the rest is shared by the columns without one. */
  width?: string;
  align?: 'end';
  /** The card's title on a narrow screen: exactly one column, usually the name. */
  title?: boolean;
  /** As wide as the card: for sentences. */
  span?: boolean;
  /** Left out on cards. */
  wide?: boolean;
  /** The heading is not shown (a column of buttons), but is there for screen readers. */
  bare?: boolean;
}

interface DataTableProps<Row> {
  /** What the table lists, for screen readers. */
  label: string;
  columns: readonly Column<Row>[];
  /** Undefined while loading: skeleton rows stand in their place. */
  rows: readonly Row[] | undefined;
  rowKey: (row: Row) => string;
  /** Address of the row's own page: Enter goes there. */
  rowHref?: (row: Row) => string;
  selection?: Selection;
  /** Newer rows are on their way. */
  refreshing?: boolean;
  /** Shown in place of rows when there are none. */
  empty: ReactNode;
  /** How many skeleton rows: as many as are expected. */
  skeletonRows?: number;
}

/**
 * A list of entities: a table on wide screens, cards on narrow ones. Keys: j and k move, Enter
 * opens, x selects. At most 100 rows a page, so nothing is virtualised; logs use their own list.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { columns, rows, selection } = props;
  const { t } = useTranslation();
  const navigate = useNavigate();
  const body = useRef<HTMLTableSectionElement>(null);

  const onKeyDown = (event: KeyboardEvent<HTMLTableRowElement>, row: Row) => {
    if (event.target !== event.currentTarget) return;
    if (event.metaKey || event.ctrlKey || event.altKey) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      moveFocus(body.current, event.key === 'ArrowDown' ? 1 : -1);
    } else if (event.key === 'Enter' && props.rowHref) {
      void navigate({ href: props.rowHref(row) });
    } else if (event.key === 'x' && selection) {
      selection.toggle(props.rowKey(row));
    }
  };

  if (rows?.length === 0) return props.empty;
  const keys = rows?.map(props.rowKey) ?? [];
  return (
    <div className={classes.scroll} data-bf-again={props.refreshing === true}>
      <table className={classes.table} aria-label={props.label} aria-busy={!rows}>
        <thead>
          <tr>
            {selection ? (
              <th scope="col" className={classes.check}>
                <Checkbox
                  aria-label={t('table.selectAll')}
                  checked={keys.length > 0 && keys.every(selection.has)}
                  indeterminate={keys.some(selection.has) && !keys.every(selection.has)}
                  onChange={(event) => selection.set(keys, event.currentTarget.checked)}
                />
              </th>
            ) : null}
            {columns.map((c) => (
              <th key={c.id} scope="col" style={{ width: c.width }} data-align={c.align}>
                {c.bare ? <span className="bf-sr">{c.header}</span> : c.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body} data-bf-rows="">
          {rows
            ? rows.map((row) => {
                const key = props.rowKey(row);
                return (
                  <tr
                    key={key}
                    tabIndex={-1}
                    data-selected={selection?.has(key) || undefined}
                    onKeyDown={(event) => onKeyDown(event, row)}
                  >
                    {selection ? (
                      <td className={classes.check}>
                        <Checkbox
                          aria-label={t('table.select')}
                          checked={selection.has(key)}
                          onChange={() => selection.toggle(key)}
                        />
                      </td>
                    ) : null}
                    {columns.map((c) => (
                      <Cell key={c.id} column={c} row={row} />
                    ))}
                  </tr>
                );
              })
            : skeleton(columns.length + (selection ? 1 : 0), props.skeletonRows ?? 8)}
        </tbody>
      </table>
    </div>
  );
}

function Cell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const content = column.cell(row);
  return (
    <td
      data-label={column.bare ? undefined : column.header}
      data-align={column.align}
      data-title={column.title || undefined}
      // A card leaves out what has no value; a table keeps the place.
      data-wide={column.wide || content === null || undefined}
      data-bare={column.bare || undefined}
      data-span={column.span || undefined}
    >
      {content}
    </td>
  );
}

/** Moves the focus between rows of the table on the page; used by j, k and the arrows. */
export function moveFocus(body: Element | null, step: 1 | -1): void {
  const rows = [...(body?.querySelectorAll<HTMLElement>(':scope > tr[tabindex]') ?? [])];
  if (rows.length === 0) return;
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const to = at < 0 ? (step > 0 ? 0 : rows.length - 1) : at + step;
  rows[Math.max(0, Math.min(rows.length - 1, to))]?.focus();
}

function skeleton(columns: number, rows: number) {
  return Array.from({ length: rows }, (_, r) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: placeholders are alike and never reordered
    <tr key={r} className={classes.skeleton}>
      {Array.from({ length: columns }, (_, c) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: as above
        <td key={c}>
          <Skeleton height={12} width={`${45 + ((r * 13 + c * 29) % 45)}%`} radius={3} />
        </td>
      ))}
    </tr>
  ));
}
