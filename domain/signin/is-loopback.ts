/** Whether this host name of an address is a name of this machine, as `URL` writes it. */
export function isLoopback(hostname: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}
