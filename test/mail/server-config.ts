/** Configures Dovecot and Postfix to run independently of those of the machine, without changing its files. */

interface Given {
  path: string;
  certificate: string;
  key: string;
  user: number;
  imapPort: number;
  smtpPort: number;
  incomingPort: number;
}

export const dovecotConfig = ({ path, certificate, key, user, imapPort }: Given): string => `
base_dir = ${path}/run
state_dir = ${path}/run
log_path = ${path}/dovecot.log
protocols = imap
listen = 127.0.0.1
ssl = required
ssl_cert = <${certificate}
ssl_key = <${key}
mail_location = maildir:${path}/mail/%u
first_valid_uid = 500
mail_max_userip_connections = 100
passdb {
  driver = passwd-file
  args = ${path}/users
}
userdb {
  driver = static
  args = uid=${user} gid=${user} home=${path}/mail/%u
}
namespace inbox {
  inbox = yes
  mailbox Sent {
    auto = create
    special_use = \\Sent
  }
  mailbox Drafts {
    auto = create
    special_use = \\Drafts
  }
}
service imap-login {
  inet_listener imap {
    port = 0
  }
  inet_listener imaps {
    port = ${imapPort}
    ssl = yes
  }
}
service auth {
  unix_listener ${path}/sasl {
    mode = 0666
  }
}
`;

export const postfixMain = ({ path, certificate, key, user }: Given): string => `
compatibility_level = 3.6
queue_directory = ${path}/queue
data_directory = ${path}/state
daemon_directory = /usr/lib/postfix/sbin
command_directory = /usr/sbin
maillog_file = ${path}/postfix.log
maillog_file_prefixes = /
myhostname = mx.kernel.test
mydestination =
mynetworks = 127.0.0.0/8
inet_interfaces = loopback-only
inet_protocols = ipv4
alias_maps =
alias_database =
local_recipient_maps =
virtual_mailbox_domains = kernel.test, owner.test, friends.test
virtual_mailbox_base = ${path}/mail
virtual_mailbox_maps = texthash:${path}/boxes
virtual_uid_maps = static:${user}
virtual_gid_maps = static:${user}
virtual_minimum_uid = 500
default_transport = error:nothing leaves this machine
relay_transport = error:nothing leaves this machine
smtpd_client_connection_rate_limit = 0
in_flow_delay = 0
smtpd_tls_cert_file = ${certificate}
smtpd_tls_key_file = ${key}
smtpd_sasl_type = dovecot
smtpd_sasl_path = ${path}/sasl
smtpd_recipient_restrictions = reject_unauth_destination
smtpd_relay_restrictions = reject_unauth_destination
`;

export const postfixServices = ({ smtpPort, incomingPort }: Given): string => `
127.0.0.1:${incomingPort} inet n - n - - smtpd
127.0.0.1:${smtpPort} inet n - n - - smtpd -o smtpd_tls_wrappermode=yes -o smtpd_sasl_auth_enable=yes -o smtpd_client_restrictions=permit_sasl_authenticated,reject
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
virtual unix - n n - - virtual
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
`;
