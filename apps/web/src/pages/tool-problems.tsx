/** Shows which tools of a module or MCP server were skipped, or which a model does not get. */

/** @param problems a sentence each; there may be dozens, so that more than three are folded */
export function ToolProblems({ problems }: { problems: readonly string[] }) {
  const list = problems.map(problem => (
    <small key={problem} className="error">
      {problem}
    </small>
  ));
  if (list.length <= 3) return <>{list}</>;
  return (
    <details>
      <summary>{list.length} problems with its tools</summary>
      {list}
    </details>
  );
}
