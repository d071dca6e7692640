/** Lists all tools by group. */
import { useStore } from '../base/store.ts';
import { useKernel } from '../kernel/context.ts';
import { Part } from './page.tsx';

export function ToolTable() {
  const list = useStore(useKernel().tools);
  if (!list) return null;
  return (
    <Part
      title="Tools"
      about="The settings file controls who can use each tool. To turn a group off for a chat, open its chat settings."
    >
      {list.groups.map(({ name, about, on_demand }) => (
        <details key={name} className="call">
          <summary>
            <strong>{name}</strong>
            <span className="gist">{about}</span>
            {on_demand ? <span className="tag">on demand</span> : null}
          </summary>
          <ul className="rows inside">
            {list.tools
              .filter(({ group }) => group === name)
              .map(tool => (
                <li key={tool.name}>
                  <div>
                    <strong>{tool.name}</strong>{' '}
                    {tool.available ? null : <span className="tag">unavailable</span>}{' '}
                    {tool.master_only ? (
                      <span className="tag">owner only</span>
                    ) : tool.trusted_only ? (
                      <span className="tag">trusted people</span>
                    ) : null}
                    <small>{tool.description}</small>
                  </div>
                </li>
              ))}
          </ul>
        </details>
      ))}
    </Part>
  );
}
