"""Mail servers of Debian's packages, on free ports and in scratch folders.

Postfix accepts mail for two domains. It delivers mail for the site's domain to the site by LMTP,
and mail for users to Dovecot by LMTP, which stores it in mailboxes with IMAP. The tests neither
read nor change the machine's own configuration, and no mail leaves the machine.
"""

import imaplib
import os
import shutil
import smtplib
import socket
import subprocess
import time
from pathlib import Path

from tests.live.ports import free_port

SITE = "play.test"  # the domain of the site
PEOPLE = "people.test"  # the domain of the mailboxes
PASSWORD = "secret-of-all-mailboxes"

HOW_TO_INSTALL = (
    "make test-mail needs Postfix, Dovecot and swaks, and must run as root:"
    " sudo apt install postfix dovecot-imapd dovecot-lmtpd swaks"
)
_TIMEOUT = 60  # seconds, on a busy machine

_MAIN = """\
compatibility_level = 3.6
queue_directory = {folder}/queue
data_directory = {folder}/data
mail_owner = postfix
setgid_group = postdrop
maillog_file = {folder}/log
maillog_file_prefixes = {folder}
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = mx.{site}
mydestination =
mynetworks = 127.0.0.0/8
alias_maps =
alias_database =
local_recipient_maps =
relay_domains = {site} {people}
recipient_delimiter = +
smtpd_recipient_restrictions = permit_mynetworks, reject_unauth_destination
transport_maps = inline:{{ {site}=lmtp:inet:127.0.0.1:{lmtp}, {people}=lmtp:unix:{mailboxes} }}
default_transport = error:no mail leaves this machine
smtp_dns_support_level = disabled
lmtp_host_lookup = native
message_size_limit = 52428800
minimal_backoff_time = 5s
maximal_backoff_time = 5s
queue_run_delay = 5s
lmtp_destination_concurrency_failed_cohort_limit = 0
smtpd_client_connection_rate_limit = 0
smtpd_client_message_rate_limit = 0
"""

_SERVICES = """\
127.0.0.1:{port} inet n - n - - smtpd
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
relay unix - - n - - smtp
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
lmtp unix - - n - - lmtp
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
pickup unix n - n 60 1 pickup
showq unix n - n - - showq
tlsmgr unix - - n 1000? 1 tlsmgr
"""

_DOVECOT = """\
base_dir = {folder}/run
state_dir = {folder}/state
log_path = {folder}/log
protocols = imap lmtp
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
mail_location = maildir:{folder}/mail/%Lu
first_valid_uid = 1
mail_uid = {user}
mail_gid = {group}
recipient_delimiter = +
default_internal_user = dovecot
default_login_user = dovenull
passdb {{
  driver = static
  args = password={password}
}}
userdb {{
  driver = static
  args = uid={user} gid={group} home={folder}/mail/%Lu allow_all_users=yes
}}
service imap-login {{
  inet_listener imap {{
    port = {port}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
service lmtp {{
  unix_listener {folder}/lmtp {{
    mode = 0666
  }}
}}
"""


def missing_programs():
    """Return how to install missing programs; empty if there are none."""
    programs = ("/usr/sbin/postfix", "/usr/sbin/dovecot", "/usr/bin/swaks")
    is_installed = (
        all(Path(one).exists() for one in programs) and Path("/usr/lib/dovecot/lmtp").exists()
    )
    return "" if is_installed and os.geteuid() == 0 else HOW_TO_INSTALL


def wait_until(condition, description, seconds=_TIMEOUT):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := condition():
            return found
        time.sleep(0.1)
    raise AssertionError(f"waited {seconds} s for {description}")


def _answers(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def open_to_all(folder):
    """Let the servers' users enter the folders above."""
    for above in (folder, *folder.parents):
        if above.stat().st_uid == os.geteuid() and above != Path("/"):
            above.chmod(above.stat().st_mode | 0o011)


class Dovecot:
    """Mailboxes for any name, with one password; the first mail creates a mailbox."""

    def __init__(self, folder):
        self.folder = folder
        self.port = free_port()
        folder.mkdir(parents=True)
        open_to_all(folder)
        (folder / "mail").mkdir()
        shutil.chown(folder / "mail", "mail", "mail")
        self.socket = folder / "lmtp"
        values = {"user": "mail", "group": "mail", "password": PASSWORD}
        text = _DOVECOT.format(folder=folder, port=self.port, **values)
        (folder / "dovecot.conf").write_text(text)
        self.process = None

    def start(self):
        command = ["/usr/sbin/dovecot", "-F", "-c", str(self.folder / "dovecot.conf")]
        with (self.folder / "output").open("ab") as out:
            self.process = subprocess.Popen(command, stdout=out, stderr=out)
        try:
            wait_until(lambda: _answers(self.port) and self.socket.exists(), "Dovecot")
        except AssertionError:
            raise AssertionError(f"Dovecot does not start: {self.said()}") from None

    def stop(self):
        if self.process is not None:
            self.process.terminate()
            self.process.wait(_TIMEOUT)
            self.process = None

    def said(self):
        files = [self.folder / "output", self.folder / "log"]
        return "\n".join(one.read_text(errors="replace")[-3_000:] for one in files if one.exists())

    def client(self, address):
        found = imaplib.IMAP4("127.0.0.1", self.port, timeout=_TIMEOUT)
        found.login(address, PASSWORD)
        return found


class Postfix:
    """The mail server that other mail servers would connect to."""

    def __init__(self, folder, *, lmtp, mailboxes):
        self.folder = folder
        self.port = free_port()
        self.configuration = folder / "configuration"
        self.configuration.mkdir(parents=True)
        (folder / "queue").mkdir()
        (folder / "data").mkdir()
        shutil.chown(folder / "data", "postfix", "postfix")
        open_to_all(folder)
        values = {"folder": folder, "site": SITE, "people": PEOPLE, "port": self.port}
        text = _MAIN.format(lmtp=lmtp, mailboxes=mailboxes, **values)
        (self.configuration / "main.cf").write_text(text)
        (self.configuration / "master.cf").write_text(_SERVICES.format(**values))

    def _call(self, *arguments):
        command = ["/usr/sbin/postfix", "-c", str(self.configuration), *arguments]
        with (self.folder / "output").open("ab") as out:
            return subprocess.run(command, stdout=out, stderr=out, timeout=_TIMEOUT, check=False)

    def start(self):
        self._call("start")
        try:
            wait_until(lambda: _answers(self.port), "Postfix")
        except AssertionError:
            raise AssertionError(f"Postfix does not start: {self.said()}") from None

    def stop(self):
        self._call("stop")

    def said(self):
        files = [self.folder / "output", self.folder / "log"]
        return "\n".join(one.read_text(errors="replace")[-4_000:] for one in files if one.exists())

    def queue(self):
        """Return the list of queued mails, as text."""
        command = ["/usr/sbin/postqueue", "-c", str(self.configuration), "-p"]
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout

    def flush(self):
        """Try to deliver all queued mails now."""
        subprocess.run(["/usr/sbin/postqueue", "-c", str(self.configuration), "-f"], check=False)

    def url(self):
        return f"smtp://127.0.0.1:{self.port}"

    def submit(self, raw, sender, recipients):
        """Send a mail unchanged."""
        with smtplib.SMTP("127.0.0.1", self.port, timeout=_TIMEOUT) as client:
            return client.sendmail(sender, recipients, raw)
