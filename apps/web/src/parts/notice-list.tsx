/** Shows notices at the edge of the page. */
import { useStore } from '../base/store.ts';
import { useKernel } from '../kernel/context.ts';
import { IconButton } from './button.tsx';

export function NoticeList() {
  const { notices } = useKernel();
  const shown = useStore(notices.shown);
  return (
    <div className="notices" role="status">
      {shown.map(({ id, text, kind }) => (
        <div key={id} className={`notice ${kind}`}>
          <span>{text}</span>
          <IconButton label="Dismiss" icon="close" onClick={() => notices.dismiss(id)} />
        </div>
      ))}
    </div>
  );
}
