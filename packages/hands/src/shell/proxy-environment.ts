/** Builds the variables by which programs use the egress proxy of the sandbox. */

const NOT_PROXIED = 'localhost,127.0.0.1,::1';

export function proxyEnvironment(port: number): Record<string, string> {
  const proxy = `http://127.0.0.1:${port}`;
  return {
    HTTP_PROXY: proxy,
    HTTPS_PROXY: proxy,
    ALL_PROXY: proxy,
    http_proxy: proxy,
    https_proxy: proxy,
    all_proxy: proxy,
    // Servers that a command starts are in the same network.
    NO_PROXY: NOT_PROXIED,
    no_proxy: NOT_PROXIED,
    // Without it, Node's own fetch ignores the proxy.
    NODE_USE_ENV_PROXY: '1',
  };
}
