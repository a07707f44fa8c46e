/** A refusal as the server words it. */
export const refusal = (code: string, message: string, field: string[] | null = null) => ({
  code,
  field,
  message,
});
