/** Shows notices at the edge of the page. */
import { useStore } from '../base/store.ts';
import { useKernel } from '../kernel/context.ts';
import { Icon } from './icon.tsx';

export function NoticeList() {
  const { notices } = useKernel();
  const shown = useStore(notices.shown);
  return (
    <div className="notices" role="status">
      {shown.map(({ id, text, kind }) => (
        <div key={id} className={`notice ${kind}`}>
          <span>{text}</span>
          <button
            type="button"
            className="quiet square"
            aria-label="Dismiss"
            onClick={() => notices.dismiss(id)}
          >
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  );
}
