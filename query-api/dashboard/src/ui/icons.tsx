// Icons: strokes of one weight on a 20-unit field. They are decoration; names stand beside them or in aria-label.

const PATHS = {
  ask: 'M4 5.5h12v8H9.5L6 16.5v-3H4z',
  ripple: 'M10 10h.01M6.8 10a3.2 3.2 0 1 0 6.4 0 3.2 3.2 0 1 0-6.4 0M3.2 10a6.8 6.8 0 1 0 13.6 0 6.8 6.8 0 1 0-13.6 0',
  explore: 'M9 3.8a5.2 5.2 0 1 0 0 10.4A5.2 5.2 0 0 0 9 3.8M12.8 12.8l3.7 3.7',
  console: 'M3.5 4.5h13v11h-13zM6.3 8l2.2 2-2.2 2M10.5 12.2h3',
  change: 'M6 4v9M6 16.3a1.6 1.6 0 1 0 0-3.3 1.6 1.6 0 0 0 0 3.3M14 16v-5c0-2-1.2-3.4-3.6-3.4H9M11 5 8.6 7.6 11 10.2',
  index: 'M10 3.5c3.6 0 6.2 1 6.2 2.4S13.600 8.300 10 8.300 3.800 7.300 3.800 5.900 6.400 3.500 10 3.500M3.800 5.900v8.200c0 1.400 2.600 2.400 6.200 2.400s6.200-1 6.200-2.400V5.900M3.800 10c0 1.400 2.600 2.400 6.200 2.400s6.200-1 6.200-2.400',
  sun: 'M10 7a3 3 0 1 0 0 6 3 3 0 0 0 0-6M10 2.800v1.400M10 15.800v1.400M2.800 10h1.400M15.800 10h1.400M4.900 4.900l1 1M14.100 14.100l1 1M4.900 15.100l1-1M14.100 5.900l1-1',
  moon: 'M15.800 11.800A6.300 6.300 0 0 1 8.200 4.200a6.300 6.300 0 1 0 7.600 7.600',
  close: 'M5.500 5.500l9 9M14.500 5.500l-9 9',
  open: 'M8 5H5v10h10v-3M11 4.500h4.500V9M15.300 4.700 9.500 10.500',
  copy: 'M7.500 7.500h8v8h-8zM12.500 7.500v-3h-8v8h3',
  up: 'M6.500 9v7M6.500 9l3-5.200c1.400 0 2 .9 1.700 2.200L10.800 8h4c.9 0 1.500.8 1.300 1.700l-1.100 5c-.2.800-.8 1.300-1.600 1.300H6.500M3.800 9h2.700v7H3.800z',
  down: 'M13.500 11V4M13.500 11l-3 5.200c-1.400 0-2-.9-1.700-2.200l.4-2h-4c-.9 0-1.500-.8-1.300-1.700l1.100-5C5.200 4.500 5.800 4 6.600 4h6.900M16.200 11h-2.700V4h2.700z',
  run: 'M7 5l7.500 5L7 15z',
  stop: 'M6 6h8v8H6z',
  plus: 'M10 4.500v11M4.500 10h11',
  fit: 'M4 7.500V4h3.500M12.500 4H16v3.500M16 12.500V16h-3.500M7.500 16H4v-3.500',
  warn: 'M10 4l6.800 12H3.200zM10 8.500v3.500M10 14h.01',
  right: 'M8 5.500l4.500 4.500L8 14.500',
  send: 'M4 10h11M10.500 5.500 15 10l-4.500 4.500',
  key: 'M7 8.500a3.500 3.500 0 1 0 0 5 3.500 3.500 0 0 0 0-5M8 9.500 15.500 4M12.500 6.200l2 2.300',
  menu: 'M4 6h12M4 10h12M4 14h12',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg class="icon" width={size} height={size} viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}

/** The rings. */
export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
      <circle cx="16" cy="16" r="3.200" class="mark-core" />
      <circle cx="16" cy="16" r="8" />
      <circle cx="16" cy="16" r="13.400" class="mark-far" />
    </svg>
  );
}
