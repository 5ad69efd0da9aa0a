/** Whether this host name of an address is a name of this machine, as `URL` writes it. */
export function isLoopback(hostname: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

/** Whether this address, as a connection tells it, is one of this machine. */
export function isLoopbackAddress(ip: string): boolean {
  return /^(::ffff:)?127\.|^::1$/.test(ip);
}
