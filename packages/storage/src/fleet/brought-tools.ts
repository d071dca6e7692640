/** The tools of modules and tool servers, by the kernels that run them (FLEET-4). */
import type { SharedTools, ToolsAt } from '@chat-kernel/kernel';
import type { Db } from '../tables/schema.ts';

/** Replaces what a kernel tells. Refused by the reference where the kernel is struck out. */
export async function bringTools(db: Db, kernel: string, groups: readonly SharedTools[]): Promise<void> {
  await db.deleteFrom('brought_tools').where('kernel', '=', kernel).execute();
  if (groups.length === 0) return;
  const rows = groups.map(each => ({ kernel, name: each.group.name, record: JSON.stringify(each) }));
  await db.insertInto('brought_tools').values(rows).execute();
}

/** What the other kernels tell, that of the oldest first. */
export async function toolsBrought(db: Db, kernel: string): Promise<ToolsAt[]> {
  const rows = await db
    .selectFrom('brought_tools')
    .innerJoin('kernels', 'kernels.id', 'brought_tools.kernel')
    .select(['kernels.id', 'kernels.url', 'kernels.name', 'brought_tools.record'])
    .where('kernels.id', '<>', kernel)
    .orderBy('kernels.since')
    .orderBy('kernels.id')
    .orderBy('brought_tools.name')
    .execute();
  return rows.map(({ record, ...at }) => ({ kernel: at, ...(JSON.parse(record) as SharedTools) }));
}
