/** An image that opens in full view, with a link to download it. */
import { useId, useState } from 'react';
import { classes } from '../base/text.ts';
import { Icon } from './icon.tsx';
import { Modal } from './modal.tsx';

interface PictureProps {
  /** An address of the kernel, or of an object in memory. The page may load no other. */
  address: string;
  /** Says whose image it is. */
  alt: string;
  /** Name of the downloaded file. */
  fileName: string;
}

export function Picture({ address, alt, fileName }: PictureProps) {
  const [isOpen, setOpen] = useState(false);
  const image = useId();
  return (
    <>
      <button
        type="button"
        className="picture"
        aria-label="Open image"
        aria-describedby={image}
        title="Open image"
        onClick={() => setOpen(true)}
      >
        <img id={image} src={address} alt={alt} loading="lazy" />
      </button>
      {isOpen ? (
        <FullView address={address} alt={alt} fileName={fileName} onClose={() => setOpen(false)} />
      ) : null}
    </>
  );
}

function FullView({ address, alt, fileName, onClose }: PictureProps & { onClose(): void }) {
  const [isActual, setActual] = useState(false);
  const download = (
    <a className="button" href={address} download={fileName}>
      <Icon name="down" />
      Download
    </a>
  );
  return (
    <Modal title={alt} className="lightbox" actions={download} onClose={onClose}>
      <div className={classes('view', isActual && 'actual')}>
        <button
          type="button"
          aria-label="Actual size"
          aria-pressed={isActual}
          title={isActual ? 'Fit to the window' : 'Actual size'}
          onClick={() => setActual(!isActual)}
        >
          <img src={address} alt={alt} />
        </button>
      </div>
    </Modal>
  );
}

/** `image/svg+xml` → `svg`, for the name of a file. */
export const imageExtension = (mediaType: string): string =>
  /^image\/([a-z0-9]+)/.exec(mediaType)?.[1]?.replace('jpeg', 'jpg') ?? 'bin';

/** `image/png` → `PNG`, for the description of an image. */
export const imageFormat = (mediaType: string): string =>
  /^image\/([a-z0-9]+)/.exec(mediaType)?.[1]?.toUpperCase() ?? '';
