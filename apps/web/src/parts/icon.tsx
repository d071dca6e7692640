/** The icons of the page, on a 16 by 16 grid with one line weight. */

const PATHS = {
  plus: 'M8 3v10M3 8h10',
  send: 'M8 13V3M3.5 7.5 8 3l4.5 4.5',
  stop: 'M4.5 4.5h7v7h-7z',
  clip: 'M13 7.5 8 12.5a3 3 0 0 1-4.3-4.2l5.4-5.4a2 2 0 0 1 2.9 2.8l-5.3 5.4a1 1 0 0 1-1.4-1.4L10 5',
  dots: 'M3 8h.6M7.7 8h.6M12.4 8h.6',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  close: 'M4 4l8 8M12 4l-8 8',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.5 10.5 13.5 13.5',
  settings: 'M2.5 5h6M12 5h1.5M2.5 11H4M7.5 11h6M10 3.5v3M5.5 9.5v3',
  microphone: 'M8 2.5a2 2 0 0 1 2 2V8a2 2 0 0 1-4 0V4.5a2 2 0 0 1 2-2zM4 8a4 4 0 0 0 8 0M8 12v1.5',
  play: 'M5 3.5v9L12 8z',
  person: 'M8 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM3 13.5c.6-2.3 2.5-3.5 5-3.5s4.4 1.2 5 3.5',
  module: 'M6 2.5v3M10 2.5v3M4 5.5h8v3a4 4 0 0 1-8 0zM8 12.5v1.5',
  machine: 'M3.5 3.5h9v6.5h-9zM2 13h12M8 10v3',
  video: 'M2.5 4h11v8h-11zM6.8 6.2v3.6L9.8 8z',
  book: 'M3 3h4a1 1 0 0 1 1 1v9a1.5 1.5 0 0 0-1.5-1H3zM13 3H9a1 1 0 0 0-1 1v9a1.5 1.5 0 0 1 1.5-1H13z',
  memory: 'M4 3h8v10l-4-2.5L4 13z',
  usage: 'M3 13V8.5M6.5 13V4M10 13V7M13.5 13V10',
  copy: 'M6 6h7v7H6zM10 6V3H3v7h3',
  fork: 'M4.5 3v10M4.5 9c5 0 7-1 7-4.5M4.5 3h.01M11.5 3.5h.01',
  back: 'M6 4 2.5 7.5 6 11M3 7.5h6.5a3.5 3.5 0 0 1 0 7H8',
  check: 'M3.5 8.5 6.5 11.5 12.5 4.5',
  file: 'M4 2.5h5l3 3v8H4zM9 2.5v3h3',
  image: 'M2.5 3h11v10h-11zM2.5 11l3.5-3.5 2.5 2.5 1.5-1.5 3.5 3.5M10.5 6h.01',
  wrap: 'M2.5 4h11M2.5 8h9a2 2 0 0 1 0 4H8M9.5 10.5 8 12l1.5 1.5M2.5 12h2.5',
  eye: 'M1.5 8C3 5 5.3 3.7 8 3.7S13 5 14.5 8c-1.5 3-3.8 4.3-6.5 4.3S3 11 1.5 8zM8 9.8a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6z',
  clock: 'M8 13.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zM8 5v3.2l2 1.3',
  permission: 'M4 7.5h8v5.5H4zM5.5 7.5V5.5a2.5 2.5 0 0 1 5 0v2',
  moon: 'M12.5 9.5A5 5 0 0 1 6.5 3.5a5 5 0 1 0 6 6z',
  down: 'M8 3v10M3.5 8.5 8 13l4.5-4.5',
  right: 'M6 4l4 4-4 4',
  left: 'M10 4 6 8l4 4',
  pencil: 'M3 13l.7-2.9 7-7 2.2 2.2-7 7zM9.5 4.3l2.2 2.2',
  again: 'M13 8a5 5 0 1 1-1.6-3.7M13 2.5V5h-2.5',
  info: 'M8 13.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zM8 7.6v3M8 5.2h.01',
  alert: 'M8 2.5 14 13H2zM8 6.5v3M8 11.5h.01',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg
      className={name === 'dots' ? 'icon bold' : 'icon'}
      viewBox="0 0 16 16"
      aria-hidden="true"
      focusable="false"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
