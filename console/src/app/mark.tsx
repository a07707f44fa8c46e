/** The bell. */
export function Mark({ size = 22 }: { size?: number }) {
  return (
    <svg aria-hidden="true" width={size} height={size} viewBox="0 0 32 32">
      <rect width="32" height="32" rx="7" fill="#0b5f5c" />
      <path
        d="M16 6.5c-4.1 0-6.2 3-6.2 6.6v3.7c0 1.6-.9 2.6-1.9 3.6h16.2c-1-1-1.9-2-1.9-3.6v-3.7c0-3.6-2.1-6.6-6.2-6.6z"
        fill="#e9c48c"
      />
      <circle cx="16" cy="23.6" r="2.1" fill="#e9c48c" />
    </svg>
  );
}
