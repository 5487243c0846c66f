"""
Where the agent under test is. The environment wins over what stands here.

The provider `http` is named in pytest.ini. A token stands in no file: export SOCLAB_HTTP_AGENT_TOKEN.
"""

import os

os.environ.setdefault("SOCLAB_HTTP_AGENT_URL", "http://127.0.0.1:8765/")
os.environ.setdefault("SOCLAB_HTTP_AGENT_TIMEOUT_SECONDS", "30")
