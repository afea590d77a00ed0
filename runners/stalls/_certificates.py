"""A file of many made-up CA certificates, as large as the list that web clients load.

The certificate below was made for this purpose and its private key thrown away. Its copies differ in serial number and
name. Their signatures are wrong, but nothing checks those of a list that one trusts.
"""

import base64
import textwrap

CERTIFICATE = base64.b64decode(
    """
    MIIDSjCCAjKgAwIBAgIIEAAAAAAAAAEwDQYJKoZIhvcNAQELBQAwQjElMCMGA1UE
    CgwcVGhyb3ctYXdheSB0ZXN0IGNlcnRpZmljYXRlczEZMBcGA1UEAwwQVGVzdCBy
    b290IDAwMDAwMDAgFw0yNjExMjgxOTA4MDJaGA8yMTI2MTEwNDE5MDgwMlowQjEl
    MCMGA1UECgwcVGhyb3ctYXdheSB0ZXN0IGNlcnRpZmljYXRlczEZMBcGA1UEAwwQ
    VGVzdCByb290IDAwMDAwMDCCASIwDQYJKoZIhvcNAQEBBQADggEPADCCAQoCggEB
    AMYZpTOeECemfQQnnFOw6n2nCZ8PfK57aCSXPSdwzV5rQ8BR1z7+tENVcZuVJfRl
    ngQq0zxmuKNTDx5aWompmYf9+57COzyc8R7lnBJwncybhROiw2iqabjKuCTXv+/4
    9ctIJWnqcZcuOGqhfpoYsXQ9avHiQxCpA7visJozvHCh6RrVl+4YZ7x/vaMVCsqf
    cP2S8X0JdLEqHshFqVTzS5+uhSfw5P+3fPDvnyGG5sRS/mQ7yn2JYpeZl+/JtTbA
    jf0HkowjFzHqnKe0gWf73NLA2/0pnDRiJdXEhzjtuVhtk4zPMRd80IKUvwGiKr8S
    SLYIKlL7gZ3wexpzA03fCisCAwEAAaNCMEAwDwYDVR0TAQH/BAUwAwEB/zAOBgNV
    HQ8BAf8EBAMCAQYwHQYDVR0OBBYEFF2oUBpD2re7lUV0sOzCLE0CI1RFMA0GCSqG
    SIb3DQEBCwUAA4IBAQAnpZjGOeT9bf5gohkgIFxx+mP/2bYCHJ0r0jXJunbJxeZY
    mFHG0hrkTsHXnGrV1zcO4izHtS777HUIjXF+COG8mKigvuwVtoOcPEFK9bZFmzdH
    7awvch8MmHvSXFSR17RMSeOfcOykO44X7EU7DB7iYuW+v2efckkRFxpmKKmlaRmg
    aniJxZ8r974theSTYRHB0CE3ii0Oxw+LfwSMC/fFAl4f3rmeQMzGzjrofsEOcvIO
    Q2VUDpadcwdSK4Ms9cjyz/cFDN1kEpuFezDyiy2qFJAs1e1xMWLhSin1xdASCHhX
    1vLi0iFZ3FMaWnZ8W3Qqkpr8JW0iofw7CulZxYo5
    """
)
SERIAL = (0x1000000000000001).to_bytes(8, "big")
NAME = b"Test root 000000"


def make_list(certificates: int) -> str:
    """Return a list in the format PEM."""
    return "".join(_pem(number) for number in range(certificates))


def _pem(number: int) -> str:
    changed = CERTIFICATE.replace(SERIAL, (int.from_bytes(SERIAL, "big") + number).to_bytes(8, "big"))
    changed = changed.replace(NAME, b"Test root %06d" % number)
    lines = textwrap.fill(base64.b64encode(changed).decode("ascii"), 64)
    return f"-----BEGIN CERTIFICATE-----\n{lines}\n-----END CERTIFICATE-----\n"
